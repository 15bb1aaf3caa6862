/** The files of a run, as downloads. Their names and types are untrusted. */
import type { AdminExecutionDetail, AdminFile } from "@runhook/sdk/admin"
import { byteWords } from "../../format/Amounts.ts"
import { Icon } from "../../parts/Icon.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { pathOfFile } from "./ExecutionData.ts"

export const Files = ({ of }: { readonly of: AdminExecutionDetail }) => {
  const files: ReadonlyArray<readonly [kind: string, file: AdminFile]> = [
    ...of.downloads.map((file) => ["Download", file] as const),
    ...of.prints.map((file) => ["Print", file] as const),
    ...of.screenshots.map((file) => ["Screenshot", file] as const)
  ]
  if (files.length === 0) return null
  return (
    <div class="scroll" role="region" aria-label="Files" tabIndex={0}>
      <table>
        <caption>Files</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="p2">
              Kind
            </th>
            <th scope="col" class="p3">
              Type, as its runner said
            </th>
            <th scope="col" class="end">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(([kind, file]) => (
            <tr key={file.id}>
              <th scope="row">
                <Icon name="file" />{" "}
                <a href={`${pathOfFile(file)}?download=true`} download>
                  <UntrustedText text={file.file_name} max={120} isBrief />
                </a>
              </th>
              <td class="p2">{kind}</td>
              <td class="p3">
                <code>
                  <UntrustedText text={file.content_type} max={80} isBrief />
                </code>
              </td>
              <td class="end num">{byteWords(file.size_bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
