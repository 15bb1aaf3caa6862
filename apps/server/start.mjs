#!/usr/bin/env node
/** Starts `runhook`: the one file that was made of its sources, or the sources where they have changed since. */
import { isCurrent, load } from "./built.mjs"

const { main } = isCurrent() ? load() : await import("./src/main.ts")
main()
