/** What an event of the stream means to views. */
import type { Change, LiveKind, Told } from "./Change.ts"
import type { SseEvent } from "./Sse.ts"

interface Hello {
  readonly is_resumed: boolean
}

interface Many {
  readonly kinds: ReadonlyArray<LiveKind>
}

/** The events are the service's promise and are not checked again; one of a later version tells nothing. */
export const toldBy = ({ data, name }: SseEvent): Told | undefined => {
  switch (name) {
    case "hello": {
      const { is_resumed: isResumed }: Hello = JSON.parse(data)
      // Whatever changed between the first look of a view and this moment was told to nobody.
      return isResumed ? undefined : { _tag: "Anew", kinds: undefined }
    }
    case "change": {
      const change: Change = JSON.parse(data)
      return { _tag: "Change", change }
    }
    case "many": {
      const { kinds }: Many = JSON.parse(data)
      return { _tag: "Anew", kinds }
    }
    case "reset":
      return { _tag: "Anew", kinds: undefined }
    default:
      return undefined
  }
}
