/** Tests that each have an engine of their own. */
import { testOn } from "../TestOn.ts"
import { engine } from "./Engine.ts"

export const test = testOn(engine)
