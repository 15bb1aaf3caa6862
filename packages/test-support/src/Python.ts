/** The Python of this machine that builds the SDK for Python and runs its tests, if there is one. */
import { spawnSync } from "node:child_process"

const isRecent = "import sys, ssl, venv; sys.exit(sys.version_info < (3, 10))"

/** The command of a Python of 3.10 or later. */
export const python = [
  process.env["RUNHOOK_PYTHON"] ?? "python3",
  "python3.13",
  "python3.12",
  "python3.11",
  "python3.10"
].find((command) => spawnSync(command, ["-c", isRecent]).status === 0)
