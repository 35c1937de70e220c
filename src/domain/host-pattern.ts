// Regular expressions for addresses, used by checks and in the OpenAPI documents.

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
export const IPV4 = `${OCTET}(\\.${OCTET}){3}`

const GROUP = '[0-9A-Fa-f]{1,4}'
/** The groups before and after `::`, at most seven in all. */
const SHORTENED = [1, 2, 3, 4, 5, 6].map((before) => `(${GROUP}:){1,${before}}(:${GROUP}){1,${7 - before}}`)
/** IPv6 without an embedded IPv4 address. */
export const IPV6 = `((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|${SHORTENED.join('|')}|:(:${GROUP}){1,7}|::)`

const REST = '([A-Za-z0-9_-]*[A-Za-z0-9_])?'
const LABEL = `[A-Za-z0-9_]${REST}`
/** The last label must not be a number, because URL parsers read `1`, `0x7f.1` and `1.2.3` as addresses. */
const LAST_LABEL = `([A-Za-z_]${REST}|[0-9]+[A-WYZa-wyz_]${REST}|[0-9]+-[A-Za-z0-9_-]*[A-Za-z0-9_])`
/** The host of a URL, in ASCII. */
export const HOST = `((${LABEL}\\.)*${LAST_LABEL}\\.?|${IPV4}|\\[(${IPV6}|::[fF]{4}:${IPV4})\\])`
export const PORT = '([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'
