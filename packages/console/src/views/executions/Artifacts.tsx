/** What a run left: its screenshots and videos, of which choosing a time seeks all, and its files. */
import type { AdminExecutionDetail, AdminFile, AdminVideo } from "@runhook/sdk/admin"
import { useEffect, useRef } from "preact/hooks"
import { byteWords, durationWords } from "../../format/Amounts.ts"
import { Card, type Column, Section, Table, UntrustedText } from "../../parts/Parts.ts"
import { pathOfFile } from "./ExecutionData.ts"

export interface PicturesProps {
  readonly of: AdminExecutionDetail
  readonly videos: ReadonlyArray<AdminVideo>
  /** The chosen time, in milliseconds since 1970. */
  readonly chosen: number | undefined
  readonly onChoose: (moment: number) => void
}

export const Pictures = ({ chosen, of, onChoose, videos }: PicturesProps) => {
  const { screenshots, started_at } = of
  if (screenshots.length === 0 && videos.length === 0) return null
  const start = started_at === null ? 0 : Date.parse(started_at)
  const shown = screenshots.find(({ created_at }) => Date.parse(created_at) === chosen)
  return (
    <Card title="Screenshots and video">
      {videos.map((video) => (
        <Video key={video.id} of={video} start={start} chosen={chosen} />
      ))}
      <ul class="shots">
        {screenshots.map((shot) => {
          const at = Date.parse(shot.created_at)
          return (
            <li key={shot.id}>
              <button type="button" aria-pressed={at === chosen} onClick={() => onChoose(at)}>
                <img src={pathOfFile(shot)} alt="" loading="lazy" />
                <span class="caption">
                  <UntrustedText text={shot.file_name} max={60} isBrief />
                  <span class="num"> at {durationWords(at - start)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {shown === undefined ? null : (
        <p class="picture">
          <a href={pathOfFile(shown)} target="_blank" rel="noreferrer noopener">
            <img src={pathOfFile(shown)} alt={`Screenshot at ${durationWords((chosen ?? start) - start)}`} />
          </a>
        </p>
      )}
    </Card>
  )
}

interface VideoProps {
  readonly of: AdminVideo
  readonly start: number
  readonly chosen: number | undefined
}

const Video = ({ chosen, of, start }: VideoProps) => {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const shown = video.current
    if (shown === null || chosen === undefined) return undefined
    const wind = () => {
      const seconds = (chosen - start - (of.started_offset_ms ?? 0)) / 1_000
      shown.currentTime = Math.max(0, Math.min(seconds, shown.duration || 0))
    }
    // A video cannot seek before its length is known.
    if (shown.readyState > 0) wind()
    else shown.addEventListener("loadedmetadata", wind, { once: true })
    return () => shown.removeEventListener("loadedmetadata", wind)
  }, [chosen, of.id])
  return (
    <video
      ref={video}
      controls
      muted
      preload="metadata"
      src={pathOfFile(of)}
      aria-label={`Video of the session${of.handler === null ? "" : ` by ${of.handler}`}`}
    />
  )
}

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

/** The files of a run, as downloads. Their names and types are untrusted. */
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
