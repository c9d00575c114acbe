const digitsOf = (text: string) => text.replace(/\D/g, '').length;

/** Whether this is no phone number, by all that is usual; nothing is known of numbers for sure. */
export function doubtPhone(phone: string): boolean {
  return phone.trim() !== '' && digitsOf(phone) < 6;
}

/** Whether a parcel would hardly get there. */
export function doubtAddress(address: string): boolean {
  const text = address.trim();
  return text !== '' && (text.length < 10 || digitsOf(text) === 0);
}
