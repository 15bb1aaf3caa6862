/** `npm run pack`: builds all public packages, and leaves their tarballs in `packed`. */
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { pack } from "./Packing.ts"
import { root } from "./PublicPackages.ts"

const into = join(root, "packed")
await rm(into, { recursive: true, force: true })
const packed = await pack({ into })

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`.padStart(9)

console.log("In the order in which they can be published:\n")
for (const { bytes, file, files, packedBytes } of packed) {
  console.log(
    `${relative(root, file).padEnd(48)}${String(files).padStart(5)} files${kilobytes(bytes)}, packed${kilobytes(packedBytes)}`
  )
}
