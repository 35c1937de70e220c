/** `phoneNumber`, `Phone-Number` and `phone_number` are the same name, and so are `card[cvc]` and `card_cvc`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s.[\]]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase()
}
