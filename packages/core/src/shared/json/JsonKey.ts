/**
 * Keys that Node's `JSON.parse` may put in place of others.
 *
 * V8 expects the key that it last read at the same place of an object, and compares it
 * with the letters of the text, not with what they stand for (seen in Node 24 and 26).
 * After a key `\\`, it reads the key `"\n"` as `\\`. Only a key that looks like the
 * beginning of an escape can be taken for another, so no such key may enter a process:
 * what one caller sent would change what another said.
 */
export const isMisreadKey = (key: string): boolean => misread.test(key)

/** A backslash with what makes an escape of it in JSON, or at the end, where an escape may have been cut. */
const misread = /\\(?:["\\/bfnrtu]|$)/
