import * as InProcessSignals from "@runhook/core/runtime/InProcessSignals"
import { suite } from "../src/signals/SignalsSuite.ts"

suite("within one process", InProcessSignals.layer)
