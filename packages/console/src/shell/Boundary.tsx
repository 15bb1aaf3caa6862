/** Keeps a crashing view from taking down the page. Other views still work. */
import { Component, type ComponentChildren } from "preact"
import { Note } from "../parts/Note.tsx"

interface BoundaryProps {
  /** The path of the view inside. */
  readonly path: string
  readonly children: ComponentChildren
}

interface BoundaryState {
  readonly path: string
}

export class Boundary extends Component<BoundaryProps, { readonly broken?: BoundaryState }> {
  override state: { readonly broken?: BoundaryState } = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ broken: { path: this.props.path } })
    // For the browser's developer tools; nothing is sent anywhere.
    reportError(error)
  }

  render() {
    if (this.state.broken?.path !== this.props.path) return this.props.children
    return (
      <Note tone="bad" title="This view crashed" isUrgent>
        <p>A fault of this page; your data is safe. The rest of the page still works.</p>
        <p class="acts">
          <button type="button" onClick={() => this.setState({})}>
            Try again
          </button>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </Note>
    )
  }
}
