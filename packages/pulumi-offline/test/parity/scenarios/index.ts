/** All scenarios: what a dynamic resource can live through, told once for both engines. */
import { creatingAndUpdating } from "./creating-and-updating";
import { managedChannels } from "./managed-channels";
import { mockedPackages } from "./mocked-packages";
import { narrowedUpdates } from "./narrowed-updates";
import { projectsInFiles } from "./projects-in-files";
import { replacingAndDeleting } from "./replacing-and-deleting";

export const scenarios = [
  ...creatingAndUpdating,
  ...replacingAndDeleting,
  ...projectsInFiles,
  ...managedChannels,
  ...mockedPackages,
  ...narrowedUpdates,
];
