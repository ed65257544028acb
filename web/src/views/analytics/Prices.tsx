import { useState } from "preact/hooks";
import { type Price, priceOf, prices, removePrice, resetPrices, setPrice } from "../../api/prices";
import { Button, IconButton } from "../../parts/Button";
import { TextField } from "../../parts/Field";

/** The prices of models in dollars per million tokens. The user edits them; they stay in this browser. */
export function Prices({ models }: { models: readonly string[] }) {
  const missing = models.filter((model) => priceOf(model) === undefined);
  return (
    <details class="prices">
      <summary>Prices of models</summary>
      <p class="small quiet">
        Dollars per million tokens. A price holds for every model whose name begins like this. The defaults are list
        prices of 2025: check them. They stay in this browser.
      </p>
      <ul>
        {prices.value.map((price) => (
          <li key={price.model}>
            <code dir="auto">{price.model}</code>
            <Amount price={price} part="input" />
            <Amount price={price} part="output" />
            <IconButton icon="close" label={`Remove ${price.model}`} onClick={() => removePrice(price.model)} />
          </li>
        ))}
      </ul>
      <NewPrice suggested={missing[0] ?? ""} />
      <Button icon="undo" onClick={resetPrices}>
        Reset prices
      </Button>
    </details>
  );
}

function Amount({ price, part }: { price: Price; part: "input" | "output" }) {
  return (
    <TextField
      label={part === "input" ? "Read" : "Written"}
      type="number"
      min={0}
      step="any"
      value={String(price[part])}
      change={(text) => text !== "" && setPrice({ ...price, [part]: Number(text) })}
    />
  );
}

function NewPrice({ suggested }: { suggested: string }) {
  const [model, setModel] = useState("");
  const name = model.trim() || suggested;
  const add = (event: Event) => {
    event.preventDefault();
    if (name !== "") setPrice({ model: name, input: 0, output: 0 });
    setModel("");
  };
  return (
    <form class="row" onSubmit={add}>
      <TextField label="Model" placeholder={suggested || "openai:my-model"} value={model} change={setModel} />
      <Button icon="plus" type="submit" disabled={name === ""}>
        Add a price
      </Button>
    </form>
  );
}
