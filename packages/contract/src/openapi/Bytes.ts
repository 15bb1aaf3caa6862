/** Files in requests and answers, as bytes of any media type: generators of clients know that one. */
export const bytes = (description: string) => ({
  description,
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
})
