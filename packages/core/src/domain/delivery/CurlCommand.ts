/** A request as a command that people paste into a shell. */

/** A request that curl can send. */
export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One word of a POSIX shell, which takes nothing in it for anything but itself. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The command that sends a request and shows the answer with its headers. The
 * body comes through a pipe: as an argument of a program, it would be too long
 * beyond 128 KiB. `--globoff` takes the URL as it is.
 */
export const curlCommand = ({ body, headers, url }: PostRequest): string =>
  [
    `printf '%s' ${shellWord(body)} | curl --silent --show-error --include --globoff ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    "--data-binary @-"
  ].join(" \\\n  ")
