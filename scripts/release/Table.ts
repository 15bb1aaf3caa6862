/** What would be published, for people. */
import type { Packed } from "../pack/Packing.ts"

const heads = ["Package", "Version", "Packed", "Unpacked", "Files", "Licence"]

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`

export const tableOf = (packed: ReadonlyArray<Packed>): string => {
  const rows = packed.map(({ bytes, files, manifest: { license, name, version }, packedBytes }) =>
    [name, version, kilobytes(packedBytes), kilobytes(bytes), files, license].map(String)
  )
  const widths = heads.map((head, place) =>
    Math.max(head.length, ...rows.map((row) => row[place]?.length ?? 0))
  )
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
