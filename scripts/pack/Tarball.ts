/** Writes a folder as the tarball of a package. The same files always give the same bytes. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

const blockSize = 512

/** The instant that npm gives to all files of all packages. */
const modifiedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000

export interface Content {
  readonly files: number
  readonly bytes: number
  readonly packedBytes: number
}

/** `executables` are paths in the folder. */
export const write = async (
  folder: string,
  file: string,
  executables: ReadonlySet<string>
): Promise<Content> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
  const blocks: Array<Buffer> = []
  let bytes = 0
  for (const path of paths) {
    const content = await readFile(join(folder, path))
    bytes += content.length
    blocks.push(
      header(`package/${path}`, content.length, executables.has(path) ? 0o755 : 0o644),
      padded(content)
    )
  }
  const packed = await promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]))
  await writeFile(file, packed)
  return { files: paths.length, bytes, packedBytes: packed.length }
}

/** A header in the POSIX format. */
const header = (path: string, size: number, mode: number): Buffer => {
  const block = Buffer.alloc(blockSize)
  const { name, prefix } = parted(path)
  block.write(name, 0)
  block.write(octal(mode, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(modifiedAt, 12), 136)
  block.write("        0", 148)
  block.write("ustar\u000000", 257)
  block.write(prefix, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(octal(sum, 8), 148)
  return block
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`

/** A path of more than a hundred bytes has its folders in a separate field. */
const parted = (path: string): { readonly name: string; readonly prefix: string } => {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" }
  const cut = path.indexOf("/", Buffer.byteLength(path) - 101)
  if (cut < 0 || cut > 155) throw new Error(`No tarball holds a path as long as ${path}`)
  return { name: path.slice(cut + 1), prefix: path.slice(0, cut) }
}

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)])
