/** The word carries grammar or the form of a question, not its subject. Expects an analysed word. */
export function isStopWord(foldedWord: string): boolean {
  return STOP_WORDS.has(foldedWord);
}

const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" "));

const STOP_WORDS: ReadonlySet<string> = new Set([
  // Articles, determiners, quantifiers
  ...words(
    "a an the this that these those some any each every all both either neither no none such same other",
  ),
  ...words("another more most much many few less least lot lots own"),
  // Pronouns
  ...words(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself",
  ),
  ...words(
    "she her hers herself it its itself they them their theirs themselves one ones someone anyone everyone",
  ),
  ...words("something anything everything nothing"),
  // Prepositions and particles
  ...words(
    "of in on at by for with without to from into onto upon about between among against during before after",
  ),
  ...words(
    "above below over under through across around along behind beside besides beyond near off out up down",
  ),
  ...words("within toward towards until till since per via as than"),
  // Conjunctions
  ...words("and or but nor so if because while although though unless whether"),
  // Auxiliaries and modals, contractions without their apostrophe
  ...words(
    "am is are was were be been being do does did doing done have has had having will would shall should can",
  ),
  ...words(
    "could may might must ought cannot cant dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont",
  ),
  ...words(
    "wouldnt shouldnt couldnt mustnt aint im ive youre youve youll theyre theyve theyll weve hes shes thats",
  ),
  ...words("theres heres lets"),
  // Adverbs without a subject
  ...words(
    "not very too also just only even still yet again ever then there here now really actually quite rather",
  ),
  ...words("already maybe perhaps almost else"),
  // Question words
  ...words("what which who whom whose when where why how whats whichs whos whens wheres whys hows"),
  // Filler of questions
  ...words(
    "please tell show give find let know say said ask asked remind remember recall thanks thank hi hey hello",
  ),
  ...words("ok okay happen happens happened happening"),
  // Particles of Chinese and Japanese that the dictionary cuts out as words
  ...words("的 了 是 在 和 与 也 都 吗 呢 吧 啊 把 被 就 很 我 你 他 她 它 们"),
  ...words("の は が を に へ と も で や か ね よ から まで です ます した する ない"),
]);
