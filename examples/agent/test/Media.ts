/** What Chromium sees in a picture or a video. The functions are strings: they run in the page. */
import type { Browser } from "playwright-core"

export interface Sight {
  readonly width: number
  readonly height: number
  /** How many different colours were found at a grid of points. */
  readonly colours: number
}

const lookAt = `(source, width, height) => {
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext("2d")
  pen.drawImage(source, 0, 0)
  const { data } = pen.getImageData(0, 0, width, height)
  const colours = new Set()
  for (let at = 0; at < data.length; at += 4 * 97) colours.add(data.slice(at, at + 3).join())
  return { width, height, colours: colours.size }
}`

export const seePicture = (browser: Browser, png: Uint8Array): Promise<Sight> =>
  inPage(
    browser,
    `async (base64) => {
    const bytes = Uint8Array.fromBase64(base64)
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
    return (${lookAt})(picture, picture.width, picture.height)
  }`,
    png
  )

/** Plays the video to its end. */
export const playVideo = (
  browser: Browser,
  webm: Uint8Array
): Promise<Sight & { readonly seconds: number }> =>
  inPage(
    browser,
    `async (base64) => {
    const bytes = Uint8Array.fromBase64(base64)
    const video = document.createElement("video")
    video.muted = true
    video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }))
    await new Promise((resolve, reject) => {
      video.onended = resolve
      video.onerror = () => reject(new Error(video.error.message))
      video.play().catch(reject)
    })
    const seen = (${lookAt})(video, video.videoWidth, video.videoHeight)
    return { ...seen, seconds: video.duration }
  }`,
    webm
  )

const inPage = async <Answer>(browser: Browser, code: string, bytes: Uint8Array): Promise<Answer> => {
  await using page = await browser.newPage()
  return await page.evaluate<Answer>(`(${code})("${Buffer.from(bytes).toString("base64")}")`)
}
