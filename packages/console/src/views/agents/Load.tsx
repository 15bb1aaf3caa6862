/** How busy something is: a meter, and the numbers beside it. */
export const Load = ({
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
