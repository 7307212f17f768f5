/** Opens a chat with the number, in which the message that links the account is typed already. */
export function whatsappLink(number: string, linkCode: string): string {
  const text = `Hi Voxscribe! My link code is ${linkCode}`
  return `https://wa.me/${number.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`
}
