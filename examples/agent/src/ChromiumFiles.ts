/** The Chromium that comes from npm, unpacked once beside this example. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const cache = fileURLToPath(new URL("../.cache/", import.meta.url))
const unpackScript = fileURLToPath(new URL("./UnpackChromium.ts", import.meta.url))

export interface ChromiumFiles {
  readonly executable: string
  /** Where Chromium finds its libraries and fonts on a machine that has none. */
  readonly environment: Readonly<Record<string, string>>
}

/** Unpacks Chromium if that was not done yet: about 2 seconds and 210 MB. */
export const chromiumFiles = async (): Promise<ChromiumFiles> => {
  const folder = join(cache, `chromium-${await chromiumVersion()}`)
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executable: join(folder, "chromium"),
    environment: {
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf")
    }
  }
}

const chromiumVersion = async (): Promise<string> => {
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"))
  const { version }: { readonly version: string } = JSON.parse(await readFile(manifest, "utf8"))
  return version
}

/** Renames a finished folder into place, so that of several processes none sees a half-unpacked one. */
const unpackInto = async (folder: string): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, "unpacking-"))
  try {
    // The package unpacks into the folder for temporary files, so a process of its own gets another one.
    const env = { ...process.env, TMPDIR: unfinished }
    await promisify(execFile)(process.execPath, [unpackScript], { env })
    await writeFile(join(unfinished, "fonts.conf"), fontsOf(folder))
    await rename(unfinished, folder)
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw cause
  }
}

/** The fonts of the package beside those of the system. */
const fontsOf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`
