import Foundation

// Ends a work with packs at some of its calls, and prints the numbers of states and of violations;
// or does the work.

let words = CommandLine.arguments
if words.count == 4, words[1] == PackCampaign.Work.word,
  let work = PackCampaign.Work(rawValue: words[2])
{
  try work.perform(in: words[3])
  exit(0)
}
guard words.count == 4, let work = PackCampaign.Work(rawValue: words[1]),
  let ending = PackCampaign.Ending(rawValue: words[2]), let count = Int(words[3])
else { exit(EX_USAGE) }
do {
  // Its folder is removed with it, and no global is released at the end.
  let campaign = try PackCampaign(work, endingBy: ending, count: count)
  print(campaign.stateCount, campaign.violationCount)
}
