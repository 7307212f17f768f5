/** Returns a link to a chat with the number, with the message that links the account already typed. */
export function whatsappLink(number: string, linkCode: string): string {
  const text = `Hi Voxscribe! My link code is ${linkCode}`
  return `https://wa.me/${number.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`
}
