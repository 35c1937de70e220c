// Replaces the parts of a URL. All other characters stay as they are.

export interface UrlEdit {
  /** Scheme, user, host and port, as they are written. */
  origin(text: string): string
  /**
   * A decoded segment of the path.
   * @param before the previous segment, which often names this one, or an empty string
   */
  segment(before: string, text: string): string
  /** The decoded name of a parameter. */
  name(text: string): string
  /** The decoded value of a parameter. */
  value(name: string, text: string): string
}

const PARTS = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)([\s\S]*)$/i

/** Edits an absolute or relative URL, including the parameters in its fragment. */
export function editUrl(url: string, edit: UrlEdit): string {
  const [, origin = '', path = '', rest = ''] = PARTS.exec(url) ?? []
  let before = ''
  const segments = path.replace(/[^/]+/g, (segment) => {
    const name = before
    before = decoded(segment)
    return edited(segment, (text) => edit.segment(name, text))
  })
  const parameters = rest.replace(/([&;?#])([^=&;?#]*)(=?)([^&;#]*)/g, (_, separator, name, sign, value) => {
    // A fragment or a query without names is a value.
    if (sign === '') return `${separator}${edited(name, (text) => edit.value('', text))}`
    const plainName = decoded(name)
    return `${separator}${edited(name, edit.name)}${sign}${edited(value, (text) => edit.value(plainName, text))}`
  })
  return `${edit.origin(origin)}${segments}${parameters}`
}

function edited(text: string, edit: (plain: string) => string): string {
  const plain = decoded(text)
  const after = edit(plain)
  return after === plain ? text : encodeURIComponent(after)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
