/** The files of a run, as downloads. Their names and types are untrusted. */
import type { AdminExecutionDetail, AdminFile } from "@runhook/sdk/admin"
import { byteWords } from "../../format/Amounts.ts"
import { type Column, Section, Table, UntrustedText } from "../../parts/Parts.ts"
import { pathOfFile } from "./ExecutionData.ts"

type Kept = readonly [kind: string, file: AdminFile]

const columns: ReadonlyArray<Column<Kept>> = [
  {
    head: "Name",
    isRowHead: true,
    cell: ([, file]) => (
      <a href={`${pathOfFile(file)}?download=true`} download>
        <UntrustedText text={file.file_name} max={120} isBrief />
      </a>
    )
  },
  { head: "Kind", class: "p2", cell: ([kind]) => kind },
  {
    head: "Type, as its runner said",
    class: "p3",
    cell: ([, file]) => (
      <code>
        <UntrustedText text={file.content_type} max={80} isBrief />
      </code>
    )
  },
  { head: "Size", class: "end num", cell: ([, file]) => byteWords(file.size_bytes) }
]

export const Files = ({ of }: { readonly of: AdminExecutionDetail }) => {
  const files: ReadonlyArray<Kept> = [
    ...of.downloads.map((file) => ["Download", file] as const),
    ...of.prints.map((file) => ["Print", file] as const),
    ...of.screenshots.map((file) => ["Screenshot", file] as const)
  ]
  return files.length === 0 ? null : (
    <Section title="Files">
      <Table label="Files of this execution" items={files} idOf={([, { id }]) => id} columns={columns} />
    </Section>
  )
}
