/** Dynamic resources live the same on the offline engine and the real one. */
import { compareEngines } from "./compare";
import { creatingAndUpdating } from "./scenarios/creating-and-updating";
import { narrowedUpdates } from "./scenarios/narrowed-updates";
import { replacingAndDeleting } from "./scenarios/replacing-and-deleting";

compareEngines([...creatingAndUpdating, ...replacingAndDeleting, ...narrowedUpdates]);
