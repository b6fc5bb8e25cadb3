import { compareEngines } from "./compare";
import { replacingAndDeleting } from "./scenarios/replacing-and-deleting";

compareEngines(replacingAndDeleting);
