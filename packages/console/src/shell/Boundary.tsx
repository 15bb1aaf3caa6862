/** Keeps a view that breaks from taking the rest of the page along. Another view is shown as if nothing had been. */
import { Component, type ComponentChildren } from "preact"
import { Note } from "../parts/Note.tsx"

interface BoundaryProps {
  /** The view it is about. */
  readonly path: string
  readonly children: ComponentChildren
}

interface Broken {
  readonly path: string
}

export class Boundary extends Component<BoundaryProps, { readonly broken?: Broken }> {
  override state: { readonly broken?: Broken } = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ broken: { path: this.props.path } })
    // For whoever looks into the tools of the browser: nothing is sent anywhere.
    reportError(error)
  }

  render() {
    if (this.state.broken?.path !== this.props.path) return this.props.children
    return (
      <Note tone="bad" title="This view broke" isUrgent>
        <p>A fault of this page, not of your data. The rest of the page still works.</p>
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
