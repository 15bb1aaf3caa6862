/** Puts encoded video frames into a WebM file: the part of EBML and Matroska that one video track needs. */

export interface EncodedFrame {
  /** Since the start of the video. Never falls from one frame to the next. */
  readonly atMs: number
  /** Whether it can be shown without the frames before it. The first frame is one. */
  readonly isKey: boolean
  readonly bytes: Uint8Array
}

export interface VideoTrack {
  readonly codec: "V_VP8" | "V_VP9"
  readonly width: number
  readonly height: number
  readonly frames: ReadonlyArray<EncodedFrame>
}

/** Element ids, as the WebM container guidelines name them. */
const id = {
  EBML: 0x1a45dfa3,
  EBMLVersion: 0x4286,
  EBMLReadVersion: 0x42f7,
  EBMLMaxIDLength: 0x42f2,
  EBMLMaxSizeLength: 0x42f3,
  DocType: 0x4282,
  DocTypeVersion: 0x4287,
  DocTypeReadVersion: 0x4285,
  Segment: 0x18538067,
  Info: 0x1549a966,
  TimestampScale: 0x2ad7b1,
  Duration: 0x4489,
  MuxingApp: 0x4d80,
  WritingApp: 0x5741,
  Tracks: 0x1654ae6b,
  TrackEntry: 0xae,
  TrackNumber: 0xd7,
  TrackUID: 0x73c5,
  TrackType: 0x83,
  CodecID: 0x86,
  Video: 0xe0,
  PixelWidth: 0xb0,
  PixelHeight: 0xba,
  Cluster: 0x1f43b675,
  Timestamp: 0xe7,
  SimpleBlock: 0xa3
}

const application = "Runhook example agent"
const nanosecondsPerMs = 1_000_000
const videoTrackType = 1
const trackNumber = 1
const keyFlag = 0x80

export const webmFile = ({ codec, width, height, frames }: VideoTrack): Buffer<ArrayBuffer> =>
  Buffer.concat([
    element(id.EBML, [
      element(id.EBMLVersion, integer(1)),
      element(id.EBMLReadVersion, integer(1)),
      element(id.EBMLMaxIDLength, integer(4)),
      element(id.EBMLMaxSizeLength, integer(8)),
      element(id.DocType, Buffer.from("webm")),
      element(id.DocTypeVersion, integer(4)),
      element(id.DocTypeReadVersion, integer(2))
    ]),
    element(id.Segment, [
      element(id.Info, [
        element(id.TimestampScale, integer(nanosecondsPerMs)),
        element(id.Duration, float(frames.at(-1)?.atMs ?? 0)),
        element(id.MuxingApp, Buffer.from(application)),
        element(id.WritingApp, Buffer.from(application))
      ]),
      element(id.Tracks, [
        element(id.TrackEntry, [
          element(id.TrackNumber, integer(trackNumber)),
          element(id.TrackUID, integer(trackNumber)),
          element(id.TrackType, integer(videoTrackType)),
          element(id.CodecID, Buffer.from(codec)),
          element(id.Video, [
            element(id.PixelWidth, integer(width)),
            element(id.PixelHeight, integer(height))
          ])
        ])
      ]),
      // A cluster for each frame keeps the times inside it at zero, whatever pauses lie between frames.
      ...frames.map(({ atMs, isKey, bytes }) =>
        element(id.Cluster, [
          element(id.Timestamp, integer(Math.round(atMs))),
          element(id.SimpleBlock, [Buffer.from([0x80 | trackNumber, 0, 0, isKey ? keyFlag : 0]), bytes])
        ])
      )
    ])
  ])

/** An element is its id, the size of its content in eight bytes, and its content. */
const element = (code: number, content: Uint8Array | ReadonlyArray<Uint8Array>): Buffer<ArrayBuffer> => {
  const body = content instanceof Uint8Array ? content : Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.byteLength))
  size.writeUInt8(0x01)
  return Buffer.concat([integer(code), size, body])
}

/** As few bytes as the number needs, the highest first. */
const integer = (value: number): Buffer<ArrayBuffer> => {
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
}

const float = (value: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
