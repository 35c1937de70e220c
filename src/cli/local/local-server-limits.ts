/** ms that open requests, attempts and forwards have to finish at shutdown. */
export const DRAIN = 2000
