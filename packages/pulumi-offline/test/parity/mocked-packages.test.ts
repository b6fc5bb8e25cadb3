import { compareEngines } from "./compare";
import { mockedPackages } from "./scenarios/mocked-packages";

compareEngines(mockedPackages);
