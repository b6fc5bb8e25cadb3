import { compareEngines } from "./compare";
import { projectsInFiles } from "./scenarios/projects-in-files";

compareEngines(projectsInFiles);
