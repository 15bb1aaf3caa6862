/** Reads an event of the stream as an update for views. */
import type { Change, LiveKind, LiveUpdate } from "./Change.ts"
import type { SseEvent } from "./Sse.ts"

/** The service guarantees the form of its events, so they are not checked; unknown ones of a later version are ignored. */
export const readEvent = ({ data, name }: SseEvent): LiveUpdate | undefined => {
  switch (name) {
    case "hello": {
      const { is_resumed: isResumed }: { readonly is_resumed: boolean } = JSON.parse(data)
      // Changes between the first load of a view and this moment were not reported.
      return isResumed ? undefined : { _tag: "Anew", kinds: undefined }
    }
    case "change": {
      const change: Change = JSON.parse(data)
      return { _tag: "Change", change }
    }
    case "many": {
      const { kinds }: { readonly kinds: ReadonlyArray<LiveKind> } = JSON.parse(data)
      return { _tag: "Anew", kinds }
    }
    case "reset":
      return { _tag: "Anew", kinds: undefined }
    default:
      return undefined
  }
}
