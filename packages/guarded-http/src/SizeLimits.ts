/** How much of an answer is read. A longer one is cut, and its connection with it. */

/** Bytes of the headers of an answer, and of its trailers. */
export const headersMax = 16 * 1024

/** Interim answers, such as 103, that may announce the real one. */
export const interimAnswersMax = 8

/**
 * Bytes of everything a receiver sends for one request: twice what headers and body
 * may take, to leave room for interim answers, chunk sizes and trailers.
 */
export const answerMax = (bodyMax: number): number => 2 * (headersMax + bodyMax)
