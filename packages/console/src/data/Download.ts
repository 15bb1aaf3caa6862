/** Lets the user save a text as a file. */

export const download = (
  text: string,
  { name, type }: { readonly name: string; readonly type: string }
): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
