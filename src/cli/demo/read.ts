import { readDocuments } from "./documents.ts";
import { readHistory } from "../../importers/git-history.ts";
import type { Plan } from "../../importers/plan.ts";
import { planDemo } from "./plan-demo.ts";

const COMMITS = 500;
const SAMPLE_WORDS = 5;

export interface Demo {
  plan: Plan;
  /** Sentences about what there was not to read. */
  notices: string[];
  /** Words to ask for, from what was read. */
  sample: string;
}

/** Reads what the demo workspace is made of: the history and the documents at hand. */
export async function readDemo(root: string): Promise<Demo> {
  const [{ commits, absent }, documents] = await Promise.all([
    readHistory(root, COMMITS),
    readDocuments(root),
  ]);
  return {
    plan: planDemo(commits, documents),
    notices: absent === null ? [] : [`No git history to read (${absent}): documents only.`],
    sample: sampleOf(commits[0]?.subject ?? documents.project.description, documents.project.name),
  };
}

function sampleOf(sentence: string, fallback: string): string {
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = words(sentence).filter((word) => word.length > 2);
  return (said.length > 0 ? said : words(fallback)).slice(0, SAMPLE_WORDS).join(" ");
}
