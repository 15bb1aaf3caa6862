/** Unpacks Chromium, its libraries and fonts into the folder that TMPDIR names. Run as a process of its own. */
import { fileURLToPath } from "node:url"
import chromium, { inflate } from "@sparticuz/chromium"

await chromium.executablePath()
await inflate(fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"))))
