// Makes one piece of the page like another, keeping what is alike: focus, typed text and open details stay as they are.

const OWN = "open"; // whether details are open is the reader's affair

export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.matches?.(".gauge")) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== OWN) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && name !== OWN) old.setAttribute(name, value);
  }
  children(old, fresh);
}

function children(old, fresh) {
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const kept = alike(at, wanted) ? at : named(old, wanted);
    if (!kept) {
      old.insertBefore(wanted, at);
      continue;
    }
    if (kept !== at) old.insertBefore(kept, at);
    at = kept.nextSibling;
    morph(kept, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function alike(one, other) {
  return one && one.nodeName === other.nodeName && (one.id || "") === (other.id || "") && one.type === other.type;
}

function named(parent, wanted) {
  const found = wanted.id && parent.querySelector(`:scope > #${CSS.escape(wanted.id)}`);
  return alike(found, wanted) ? found : null;
}
