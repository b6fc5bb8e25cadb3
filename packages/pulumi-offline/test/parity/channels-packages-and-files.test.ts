/**
 * Channels, packages and projects in files live the same on the offline engine and the real one.
 */
import { compareEngines } from "./compare";
import { managedChannels } from "./scenarios/managed-channels";
import { mockedPackages } from "./scenarios/mocked-packages";
import { projectsInFiles } from "./scenarios/projects-in-files";

compareEngines([...projectsInFiles, ...managedChannels, ...mockedPackages]);
