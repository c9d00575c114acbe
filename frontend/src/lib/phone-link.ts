/** The address that dials a number as people write it (RFC 3966): its digits, and the plus in front. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`;
}
