// What a panel shows: one view of one array, behind an interface that the panel's frame needs and no more.
import type { Session } from '../protocol/session.ts';
import type { ArrayInfo } from '../protocol/types.ts';

export interface Host {
  session: Session;
  caseId: number;
  /** Tells the reader something in the panel's foot, or takes it back. */
  say(text: string): void;
}

/** Pictures of a view as it went on in time. */
export interface Animation {
  count: number;
  draw(canvas: HTMLCanvasElement, i: number): void;
}

export interface View {
  element: HTMLElement;
  /** Buttons for the panel's head. */
  tools: Node[];
  /** What a saved picture shows; null before there is one. Tables and texts have none: nothing offers to save them as a picture. */
  picture?(): HTMLCanvasElement | null;
  /** The array has a new id or shape (a new generation, or one that grew), or another array of the kind is shown. */
  show(array: ArrayInfo | null): void;
  /** Colours of the page changed. */
  redraw(): void;
  destroy(): void;
  /** What was seen so far, where the view keeps it; null before there are two pictures. */
  animation?(): Animation | null;
  /** A key that no control took; true when it meant something here. */
  key?(event: KeyboardEvent): boolean;
}

/** Calls back with the size in pixels of the page, now and when it changes. */
export function watchSize(e: HTMLElement, onSize: (w: number, h: number) => void): () => void {
  const observer = new ResizeObserver(() => {
    onSize(e.clientWidth, e.clientHeight);
  });
  observer.observe(e);
  return () => {
    observer.disconnect();
  };
}
