import { compareEngines } from "./compare";
import { creatingAndUpdating } from "./scenarios/creating-and-updating";

compareEngines(creatingAndUpdating);
