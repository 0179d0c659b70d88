// Hands on a picture: drag moves, wheel and two fingers zoom, a double click shows the whole; in paint mode a drag paints.

export interface Hands {
  move(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  whole(): void;
  hover(x: number, y: number): void;
  leave(): void;
  /** True while drags paint. */
  paints(): boolean;
  paint(x: number, y: number, first: boolean): void;
  painted(): void;
}

export function attach(e: HTMLElement, hands: Hands): void {
  const down = new Map<number, { x: number; y: number }>();
  let painting = false;
  const at = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
    const r = e.getBoundingClientRect();
    return { x: event.clientX - r.left, y: event.clientY - r.top };
  };
  e.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    e.setPointerCapture(event.pointerId);
    const p = at(event);
    down.set(event.pointerId, p);
    painting = hands.paints() && down.size === 1;
    if (painting) hands.paint(p.x, p.y, true);
  });
  e.addEventListener('pointermove', (event) => {
    const p = at(event);
    hands.hover(p.x, p.y);
    const before = down.get(event.pointerId);
    if (!before) return;
    if (painting) {
      hands.paint(p.x, p.y, false);
    } else if (down.size === 1) {
      hands.move(p.x - before.x, p.y - before.y);
    } else {
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const [old, now] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(p.x - other.x, p.y - other.y)];
        if (old > 4 && now > 4) hands.zoom(now / old, (p.x + other.x) / 2, (p.y + other.y) / 2);
        hands.move((p.x - before.x) / 2, (p.y - before.y) / 2);
      }
    }
    down.set(event.pointerId, p);
  });
  const up = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId)) return;
    if (painting) hands.painted();
    painting = false;
  };
  e.addEventListener('pointerup', up);
  e.addEventListener('pointercancel', up);
  e.addEventListener('pointerleave', () => {
    if (down.size === 0) hands.leave();
  });
  e.addEventListener('wheel', (event) => {
    event.preventDefault();
    const p = at(event);
    hands.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), p.x, p.y);
  }, { passive: false });
  e.addEventListener('dblclick', () => {
    if (!hands.paints()) hands.whole();
  });
}
