import { compareEngines } from "./compare";
import { managedChannels } from "./scenarios/managed-channels";

compareEngines(managedChannels);
