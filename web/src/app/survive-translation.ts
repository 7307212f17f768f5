/** The elements that a translator put in place of texts, which it took out of the page. */
const standIns = new WeakMap<Node, ChildNode>()

/** Returns the node that is in the page for it: itself, or what a translator put in its place. */
const inPage = (node: Node, parent: Node): Node | undefined =>
  node.parentNode === parent ? node : standIns.get(node)

/**
 * Keeps a page alive that the browser translates. React goes on to write, move and remove the texts it made, which are
 * no longer in the page: these acts are passed on to the elements in their place.
 */
export function surviveTranslation() {
  const observer = new MutationObserver(records => {
    for (const { type, target, removedNodes, addedNodes } of records) {
      if (type === 'characterData') restore(target)
      else if (addedNodes[0]?.nodeName === 'FONT' && removedNodes[0] instanceof Text) {
        standIns.set(removedNodes[0], addedNodes[0] as ChildNode)
        observer.observe(removedNodes[0], { characterData: true })
      }
    }
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })

  const { insertBefore, removeChild, appendChild } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    const shown = inPage(child, this)
    if (shown?.parentNode === this) removeChild.call(this, shown)
    standIns.delete(child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(node: T, before: Node | null): T {
    restore(node)
    const shown = before && inPage(before, this)
    insertBefore.call(this, node, shown?.parentNode === this ? shown : null)
    return node
  }
  Node.prototype.appendChild = function <T extends Node>(node: T): T {
    restore(node)
    appendChild.call(this, node)
    return node
  }
}

/** Puts a text that has changed, or is moved, back in its place. The translator will see it as a new one. */
function restore(text: Node) {
  standIns.get(text)?.replaceWith(text)
  standIns.delete(text)
}
