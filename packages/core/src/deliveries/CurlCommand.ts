/** A request as a command that people paste into a shell. */

/** A request that curl can send. */
export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Quotes one word for a POSIX shell, which then takes nothing in it specially. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The command that sends a request and shows the answer with its headers. The body
 * comes through a pipe, since an argument cannot be longer than 128 KiB.
 * `--globoff` takes the URL literally.
 */
export const curlCommand = ({ body, headers, url }: PostRequest): string =>
  [
    `printf '%s' ${shellWord(body)} | curl --silent --show-error --include --globoff ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    "--data-binary @-"
  ].join(" \\\n  ")
