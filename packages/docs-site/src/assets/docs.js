"use strict"
// What makes the pages of the service more comfortable. All of the documentation works without it.
{
  const root = document.documentElement
  const remember = (theme) => {
    try {
      localStorage.setItem("runhook-theme", theme)
    } catch {
      // Where nothing may be kept, the choice lasts for this page.
    }
  }
  const remembered = () => {
    try {
      return localStorage.getItem("runhook-theme")
    } catch {
      return null
    }
  }
  // At once, so that nothing flashes.
  if (["dark", "light"].includes(remembered())) root.dataset.theme = remembered()

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : root.dataset.theme === "dark"

  const addThemeButton = () => {
    const button = element("button", { type: "button", className: "theme" })
    const tell = () => {
      button.textContent = isDark() ? "Light" : "Dark"
      button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours")
    }
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark"
      remember(root.dataset.theme)
      tell()
    })
    tell()
    document.querySelector(".top").append(button)
  }

  const addCopyButtons = () => {
    const said = element("p", { className: "hide", role: "status" })
    document.body.append(said)
    for (const block of document.querySelectorAll(".code")) {
      const code = block.querySelector("code")
      const label = block.querySelector("pre").getAttribute("aria-label").toLowerCase()
      const button = element("button", { type: "button", className: "copy", textContent: "Copy" })
      button.setAttribute("aria-label", `Copy: ${label}`)
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(code.textContent.trimEnd())
          button.textContent = "Copied"
        } catch {
          getSelection().selectAllChildren(code)
          button.textContent = "Selected"
        }
        said.textContent = button.textContent
      })
      const reset = () => {
        button.textContent = "Copy"
        said.textContent = ""
      }
      button.addEventListener("blur", reset)
      button.addEventListener("pointerleave", reset)
      block.append(button)
    }
  }

  const addSearch = () => {
    const form = document.querySelector(".search")
    if (form === null) return
    const input = form.querySelector("input")
    const list = element("ul", { className: "found", hidden: true })
    const said = element("p", { className: "hide", role: "status" })
    form.append(list, said)
    let asked = 0

    // Pages without a service bring a search of their own.
    const search =
      globalThis.searchPages ??
      (async (query) => {
        const answer = await fetch(`${form.action}.json?q=${encodeURIComponent(query)}`)
        return answer.ok ? await answer.json() : []
      })

    const show = (results) => {
      list.replaceChildren(
        ...results.slice(0, 8).map(({ excerpt, heading, kind, path, title }) =>
          element(
            "li",
            {},
            element(
              "a",
              { href: path },
              element("strong", { textContent: heading === "" || heading === title ? title : heading }),
              element("span", {
                className: "quiet",
                textContent: heading === "" ? kind : `${title}, ${kind}`
              }),
              element("span", { className: "excerpt", textContent: excerpt })
            )
          )
        )
      )
      list.hidden = results.length === 0
      said.textContent = results.length === 1 ? "1 place found" : `${results.length} places found`
    }
    const close = () => {
      asked += 1
      list.hidden = true
      said.textContent = ""
    }

    input.addEventListener("input", async () => {
      const query = input.value.trim()
      if (query.length < 2) return close()
      const number = ++asked
      try {
        const results = await search(query)
        if (number === asked) show(results)
      } catch {
        // The form still works, once the service is back.
        if (number === asked) close()
      }
    })
    form.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")]
      const at = links.indexOf(document.activeElement)
      if (event.key === "Escape" && !list.hidden) {
        close()
        input.focus()
      } else if (event.key === "ArrowDown" && !list.hidden && at < links.length - 1) links[at + 1].focus()
      else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? input).focus()
      else return
      event.preventDefault()
    })
    document.addEventListener("click", ({ target }) => {
      if (!form.contains(target)) close()
    })
    document.addEventListener("keydown", (event) => {
      const isTyping = /^(?:input|select|textarea)$/i.test(document.activeElement?.tagName ?? "")
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.focus()
      input.select()
    })
  }

  document.addEventListener("DOMContentLoaded", () => {
    addThemeButton()
    addCopyButtons()
    addSearch()
    // Scrolls the navigation alone, where it scrolls at all.
    const nav = document.querySelector(".nav")
    const current = nav?.querySelector('[aria-current="page"]')
    if (current) nav.scrollTop = current.offsetTop - nav.clientHeight / 2
  })
}
