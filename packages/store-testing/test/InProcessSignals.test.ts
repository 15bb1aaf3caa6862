import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { suite } from "../src/signals/SignalsSuite.ts"

suite("within one process", InProcessSignals.layer)
