/** A meter of slots in use, with its numbers. */
export const LoadMeter = ({
  busy,
  of,
  what
}: {
  readonly busy: number
  readonly of: number
  readonly what: string
}) => (
  <>
    <meter min={0} max={Math.max(1, of)} high={of} value={busy} aria-label={`${what}: slots used`}>
      {busy}
    </meter>{" "}
    <span class="num">
      {busy} of {of}
    </span>
  </>
)
