/** Files in requests and answers. Their own media types vary; generators know the one of any bytes. */
export const bytes = (description: string) => ({
  description,
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
})
